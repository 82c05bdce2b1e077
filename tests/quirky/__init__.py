"""A service that misbehaves as deployed ones do, over the embedded one."""
