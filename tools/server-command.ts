/** It changes nothing that the server does, only what it costs: a third less memory under load (bench/README.md). */
const MEMORY: readonly string[] = [
  // V8 by itself keeps 60 MB for what lives for a moment, and lets garbage double the heap before it looks.
  '--max-semi-space-size=4',
  '--heap-growing-percent=50',
]

/** The built server, as a shop runs it. */
export const SERVER_ARGUMENTS: readonly string[] = [...MEMORY, 'dist/server/main.js']

/** The same from its sources as they are now. */
export const SOURCE_ARGUMENTS: readonly string[] = [
  ...MEMORY,
  '--import',
  './server/db/quick-imports.ts',
  'server/main.ts',
]

export const SERVER_ENVIRONMENT: Readonly<Record<string, string>> = {
  // Compiled once: the next start needs neither the time nor the memory.
  NODE_COMPILE_CACHE: 'node_modules/.cache/compiled',
  // The C library by itself keeps large memory that was given back, once for each thread.
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '262144',
  MALLOC_TRIM_THRESHOLD_: '4194304',
}
