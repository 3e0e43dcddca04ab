/** Affects only memory: a third less under load (bench/README.md). */
const MEMORY: readonly string[] = [
  // By default V8 reserves 60 MB for the young generation, and lets the heap double before it collects.
  '--max-semi-space-size=4',
  '--heap-growing-percent=50',
]

/** The built server, as in production. */
export const SERVER_ARGUMENTS: readonly string[] = [...MEMORY, 'dist/server/main.js']

/** The same server from its current sources. */
export const SOURCE_ARGUMENTS: readonly string[] = [
  ...MEMORY,
  '--import',
  './server/db/quick-imports.ts',
  'server/main.ts',
]

export const SERVER_ENVIRONMENT: Readonly<Record<string, string>> = {
  // Cache compiled code: the next start needs less time and memory.
  NODE_COMPILE_CACHE: 'node_modules/.cache/compiled',
  // By default glibc keeps large freed blocks, once per thread.
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '262144',
  MALLOC_TRIM_THRESHOLD_: '4194304',
}
