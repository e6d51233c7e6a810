"""Official facts about the WMT test sets, as YAML files beside this module."""
