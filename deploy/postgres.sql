-- Roles, created once with the database. Their passwords are taken from the database URLs of the apps.
\set index_password `sed -n 's|^SVC_DATABASE_URL=postgres://[^:]*:\([^@]*\)@.*|\1|p' /run/secrets/indexer.env`
\set api_password `sed -n 's|^SVC_DATABASE_URL=postgres://[^:]*:\([^@]*\)@.*|\1|p' /run/secrets/api.env`
\set store_password `sed -n 's|^SVC_DATABASE_URL=postgres://[^:]*:\([^@]*\)@.*|\1|p' /run/secrets/store.env`
\set notifier_password `sed -n 's|^SVC_DATABASE_URL=postgres://[^:]*:\([^@]*\)@.*|\1|p' /run/secrets/notifier.env`

-- Reads the views of the build that serves. The indexer grants this.
create role svc_read nologin;

-- Owns the schemas of the index and creates new ones for new builds.
create role svc_index login password :'index_password';

-- Reads the index but cannot write to it. Owns schema `posting`, where the API stores its own data.
create role svc_api login password :'api_password' in role svc_read;
create schema posting authorization svc_api;
alter role svc_api set search_path = posting;

-- Sees who wrote to whom, for notifications. The store grants this.
create role svc_mail_arrival nologin;

-- Owns schema `store`, where the store keeps its records. Reads the index, to know which wallets are established.
create role svc_store login password :'store_password' in role svc_read;
create schema store authorization svc_store;
alter role svc_store set search_path = store;

-- Reads the index. Owns schema `notify`, and `notify_jobs` of its job queue.
create role svc_notifier login password :'notifier_password' in role svc_read, svc_mail_arrival;
create schema notify authorization svc_notifier;
create schema notify_jobs authorization svc_notifier;
alter role svc_notifier set search_path = notify;

-- Signed profiles: the notifier writes them, the API reads them. Whichever starts first creates the tables, so both may use them.
create role svc_profiles nologin;
grant svc_profiles to svc_api, svc_notifier;
create schema profiles authorization svc_profiles;
alter default privileges for role svc_api, svc_notifier in schema profiles
  grant select, insert, update, delete on tables to svc_profiles;

-- What the replicas of a service count for its rate limits. Whichever starts first creates the table, so all may use it.
create role svc_limits nologin;
grant svc_limits to svc_api, svc_store, svc_notifier;
create schema limits authorization svc_limits;
alter default privileges for role svc_api, svc_store, svc_notifier in schema limits
  grant select, insert, update, delete on tables to svc_limits;

-- The API, the store and the notifier run `create schema if not exists` on every start, for which Postgres requires this privilege.
select format('grant create on database %I to svc_index, svc_api, svc_store, svc_notifier', current_database()) \gexec
