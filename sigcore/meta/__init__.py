"""Which metric can I trust? Meta-metrics and the significance of their differences."""
