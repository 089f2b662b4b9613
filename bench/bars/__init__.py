"""The bars: what this program promises, measured. Each module measures one promise and returns its Bars."""
