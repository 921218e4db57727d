-- The roles, made once with the database. Their passwords are those of the URLs that the apps are given.
\set index_password `sed -n 's|^SVC_DATABASE_URL=postgres://[^:]*:\([^@]*\)@.*|\1|p' /run/secrets/indexer.env`
\set api_password `sed -n 's|^SVC_DATABASE_URL=postgres://[^:]*:\([^@]*\)@.*|\1|p' /run/secrets/api.env`

-- May read the views of the build that serves; the index grants it.
create role svc_read nologin;

-- Owns the schemas of the index, and makes new ones for new builds.
create role svc_index login password :'index_password';

-- Reads the index and cannot write it; owns `posting`, where it keeps what it must remember.
create role svc_api login password :'api_password' in role svc_read;
create schema posting authorization svc_api;
alter role svc_api set search_path = posting;

-- The API asks for its schema at every start, which Postgres allows only to those who may make one.
select format('grant create on database %I to svc_index, svc_api', current_database()) \gexec
