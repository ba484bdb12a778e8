BEGIN TRANSACTION;
CREATE TABLE choice (
        owner TEXT NOT NULL, site TEXT NOT NULL, mode TEXT, extractor TEXT, level INTEGER,
        PRIMARY KEY (owner, site)
    ) STRICT;
INSERT INTO "choice" VALUES('','news.example','always',NULL,NULL);
INSERT INTO "choice" VALUES('user:anna','news.example','never','bte',NULL);
INSERT INTO "choice" VALUES('user:anna','shop.example:8080',NULL,'crunch:take=forms,keep=ads,ratio=0.4',5);
INSERT INTO "choice" VALUES('user:anna','purpose:index','tidy',NULL,NULL);
INSERT INTO "choice" VALUES('user:anna','private:router.lan','always',NULL,NULL);
INSERT INTO "choice" VALUES('127.0.0.1','blog.example',NULL,NULL,7);
CREATE TABLE pause (owner TEXT PRIMARY KEY, until TEXT NOT NULL) STRICT;
INSERT INTO "pause" VALUES('127.0.0.1','2026-11-27T12:00:00+00:00');
CREATE TABLE refusal (
        host TEXT NOT NULL, client TEXT NOT NULL, hello TEXT NOT NULL, reason TEXT NOT NULL,
        since TEXT NOT NULL, sure INTEGER NOT NULL, PRIMARY KEY (host, client, hello)
    ) STRICT;
INSERT INTO "refusal" VALUES('bank.example','127.0.0.1','abc','unknown-ca','2026-11-27T12:00:00+00:00',1);
COMMIT;
PRAGMA user_version = 3;
