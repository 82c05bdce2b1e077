"""What deployed services need beyond the specification.

They lack features, expect other forms of requests, and report success without doing what was asked.
`DeployedClient` reads back what it wrote, and learns the accepted forms and missing features; a
service that keeps to the specification is asked by `tui.client.client.Client` alone. Tests of all
this are in `tests/client/deployed_services`.
"""
