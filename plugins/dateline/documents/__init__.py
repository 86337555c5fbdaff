"""Everything that comes in: documents of every framework, files and plain fields, read as dated evidence."""
