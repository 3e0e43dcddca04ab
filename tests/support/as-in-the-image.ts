import { cpSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parse } from 'yaml'

/** A folder with what the image's last stage copies of the built shop, and nothing else. The caller removes it. */
export function asInTheImage(): string {
  const root = mkdtempSync(join(tmpdir(), 'murmur-image-'))
  const copies = readFileSync('docs/operating/Dockerfile', 'utf8').matchAll(
    /^COPY --from=build \/build\/(\S+) /gm,
  )
  for (const [, path] of copies)
    if (path === 'node_modules') symlinkSync(resolve(path), join(root, path))
    else cpSync(path!, join(root, path!), { recursive: true, filter: (file) => !file.includes('.test.') })
  return root
}

/** The settings that compose.yml gives to one of its servers, with the addresses of what it does not start here. */
export function settingsInCompose(
  service: string,
  here: Readonly<Record<string, string>>,
): Record<string, string> {
  const { services } = parse(readFileSync('docs/operating/compose.yml', 'utf8'), { merge: true }) as {
    services: Record<string, { environment: Record<string, string | number> }>
  }
  const settings = Object.fromEntries(
    Object.entries(services[service]!.environment).map(([name, value]) => [name, String(value)]),
  )
  const all: Record<string, string> = {
    ...settings,
    NODE_ENV: 'production',
    TRUSTED_PROXIES: '127.0.0.1',
    ...here,
  }
  // No store is started here: the media lie in DATA_DIR.
  delete all.MEDIA_S3_URL
  const open = Object.entries(all).filter(([, value]) => value.includes('${'))
  if (open.length > 0) throw new Error(`Settings without a value: ${open.map(([name]) => name).join()}`)
  return all
}
