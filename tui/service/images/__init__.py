"""Pictures: their types, sizes, records and signatures."""
