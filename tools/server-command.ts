/**
 * How the server's process is begun, for whoever starts it. None of this changes what it does, only what it
 * costs; bench/README.md has the figures.
 */
export const SERVER_ARGUMENTS: readonly string[] = [
  '--import',
  './server/db/quick-imports.ts',
  'server/main.ts',
]

export const SERVER_ENVIRONMENT: Readonly<Record<string, string>> = {
  // Stripped and compiled once: the next start needs neither the time nor the memory of the stripper.
  NODE_COMPILE_CACHE: 'node_modules/.cache/compiled',
}
