/**
 * The command that begins the server's process, for whoever starts it. None of this changes what it does, only what
 * it costs: a third less memory under load (bench/README.md).
 */
export const SERVER_ARGUMENTS: readonly string[] = [
  // V8 by itself keeps 60 MB for what lives for a moment, and lets garbage double the heap before it looks.
  '--max-semi-space-size=4',
  '--heap-growing-percent=50',
  '--import',
  './server/db/quick-imports.ts',
  'server/main.ts',
]

export const SERVER_ENVIRONMENT: Readonly<Record<string, string>> = {
  // Stripped and compiled once: the next start needs neither the time nor the memory of the stripper.
  NODE_COMPILE_CACHE: 'node_modules/.cache/compiled',
  // The C library by itself keeps large memory that was given back, once for each thread.
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '262144',
  MALLOC_TRIM_THRESHOLD_: '4194304',
}
