"""Every endpoint of the service is reached from the keyboard."""
