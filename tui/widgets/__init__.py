"""What is drawn: values in, messages out."""
