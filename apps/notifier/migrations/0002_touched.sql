-- Tasks by the block at which the follower looked at them: a reorganisation that removes the block looks at them again.
create table notify.touched (
  market smallint not null,
  block bigint not null,
  task bigint not null,
  primary key (market, block, task)
);
