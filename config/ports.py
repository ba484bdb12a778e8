"""Ports of services that speak no HTTP, or that trust whoever reaches them."""

from __future__ import annotations

from typing import Final

BAD_PORTS: Final = (
    *(7, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102),
    *(103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427),
    *(465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989),
    *(990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665),
    *(6666, 6667, 6668, 6669, 6679, 6697, 10080),
)
"""What browsers refuse (WHATWG Fetch, "port blocking"), without 0, tcpmux (1) and discard (9)."""
DATABASE_PORTS: Final = (
    *(1433, 1434, 1521, 2379, 2380, 3306, 5432, 6379, 7687, 9042, 9200, 9300, 11211, 27017),
    *(27018, 27019),
)
"""Databases, caches and their like: MS SQL, Oracle, etcd, MySQL, PostgreSQL, Redis, Neo4j,
Cassandra, Elasticsearch, Memcached, MongoDB."""
REFUSED_PORTS: Final = tuple(sorted((*BAD_PORTS, *DATABASE_PORTS)))
