import { startCluster } from '../../test/harness/cluster.ts'
import { createTestDatabaseIn } from '../../test/harness/postgres.ts'

/** A Postgres that the runs of a suite can kill, and a database for each of them. */
export async function startDatabases() {
  const cluster = await startCluster()
  return {
    cluster,
    /** Creates a database, and drops it afterwards. */
    async use<Result>(name: string, work: (url: string) => Promise<Result>): Promise<Result> {
      const database = await createTestDatabaseIn(cluster.url, name)
      const result = await work(database.url)
      await database.drop()
      return result
    },
    stop: cluster.remove,
  }
}
