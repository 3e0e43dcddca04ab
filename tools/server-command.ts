/**
 * How the server's process is begun, for whoever starts it. None of this changes what it does, only what it
 * costs; bench/README.md has the figures.
 */
export const SERVER_ARGUMENTS: readonly string[] = [
  // Half of V8's own choice, which keeps 60 MB for what lives for a moment; scavenging more often costs 2%.
  '--max-semi-space-size=8',
  '--optimize-for-size',
  '--import',
  './server/db/quick-imports.ts',
  'server/main.ts',
]

export const SERVER_ENVIRONMENT: Readonly<Record<string, string>> = {
  // Stripped and compiled once: the next start needs neither the time nor the memory of the stripper.
  NODE_COMPILE_CACHE: 'node_modules/.cache/compiled',
}
