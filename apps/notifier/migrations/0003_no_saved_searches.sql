-- Nothing uses it yet.
drop table notify.saved_search;
