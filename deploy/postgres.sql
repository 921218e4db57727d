-- Roles, created once with the database. Their passwords are taken from the database URLs of the apps.
\set index_password `sed -n 's|^SVC_DATABASE_URL=postgres://[^:]*:\([^@]*\)@.*|\1|p' /run/secrets/indexer.env`
\set api_password `sed -n 's|^SVC_DATABASE_URL=postgres://[^:]*:\([^@]*\)@.*|\1|p' /run/secrets/api.env`
\set store_password `sed -n 's|^SVC_DATABASE_URL=postgres://[^:]*:\([^@]*\)@.*|\1|p' /run/secrets/store.env`

-- Reads the views of the build that serves. The indexer grants this.
create role svc_read nologin;

-- Owns the schemas of the index and creates new ones for new builds.
create role svc_index login password :'index_password';

-- Reads the index but cannot write to it. Owns schema `posting`, where the API stores its own data.
create role svc_api login password :'api_password' in role svc_read;
create schema posting authorization svc_api;
alter role svc_api set search_path = posting;

-- Owns schema `store`, where the store keeps its records, and reads nothing else.
create role svc_store login password :'store_password';
create schema store authorization svc_store;
alter role svc_store set search_path = store;

-- The API and the store run `create schema if not exists` on every start, for which Postgres requires this privilege.
select format('grant create on database %I to svc_index, svc_api, svc_store', current_database()) \gexec
