"""How deployed services differ from the specification, and from each other, in one place.

The rule it keeps: what every edition understands is sent, only what comes back is believed, and a
mistake of a service is never shown as a success. The resources below know nothing of this, and
nobody above needs to.
"""
