"""The query language of filters: `label:bug due:week -@me`."""
