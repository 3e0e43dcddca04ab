import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from './server-process.ts'

/** The path of a program, or undefined if it isn't installed. */
export const findProgram = (name: string): string | undefined =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))

export interface Proxy {
  readonly url: string
  /** The contents of its error log. */
  readonly complaints: () => string
  close(): Promise<void>
}

/** Starts nginx with the owners' example configuration, without names and TLS, which a separate test checks. */
export async function startNginx(serving: string): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), 'murmur-nginx-'))
  // Its workers run as an unprivileged user and must be able to read the folder.
  chmodSync(folder, 0o755)
  const port = await freePort()
  const site = readFileSync('docs/operations/deployment/nginx.conf', 'utf8')
    .replace('unix:/srv/murmur/slots/serving', `unix:${serving}`)
    // Remove the redirect to TLS.
    .replace(/^server \{\n {2}listen 80;[^}]+\}\n/m, '')
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
    .replaceAll(/^ {2}(?:listen \[|ssl_).*\n/gm, '')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join(' ')
  const config = join(folder, 'nginx.conf')
  writeFileSync(
    config,
    `daemon off; ${process.getuid?.() === 0 ? 'user nobody nogroup;' : ''} worker_processes 2; pid ${folder}/pid;
error_log ${folder}/log; events { worker_connections 1024; }
http { access_log off; ${temporary}
${site} }`,
  )
  return start({
    folder,
    port,
    program: findProgram('nginx')!,
    args: ['-p', folder, '-e', `${folder}/log`, '-c', config],
  })
}

export async function startCaddy(servers: readonly string[]): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), 'murmur-caddy-'))
  const port = await freePort()
  const config = join(folder, 'Caddyfile')
  const log = `log {\n output file ${folder}/log\n }`
  writeFileSync(
    config,
    `{\n admin off\n ${log}\n}\n${readFileSync('docs/operations/deployment/Caddyfile', 'utf8')}`,
  )
  return start({
    folder,
    port,
    program: findProgram('caddy')!,
    args: ['run', '--adapter', 'caddyfile', '--config', config],
    env: { HOME: folder, SHOP_HOST: `http://127.0.0.1:${port}`, SHOP_SERVERS: servers.join(' ') },
  })
}

interface Start {
  readonly folder: string
  readonly port: string
  readonly program: string
  readonly args: readonly string[]
  readonly env?: Record<string, string>
}

async function start({ folder, port, program, args, env = {} }: Start): Promise<Proxy> {
  const child = spawn(program, args, { stdio: 'ignore', env: { PATH: process.env.PATH, ...env } })
  const abandon = () => child.kill('SIGTERM')
  process.once('exit', abandon)
  const complaints = () => readFileSync(join(folder, 'log'), 'utf8')
  const url = `http://127.0.0.1:${port}`
  while (!(await fetch(`${url}/api/health/live`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null) throw new Error(`The proxy did not start: ${complaints()}`)
    await pause(50)
  }
  return {
    url,
    complaints,
    close: async () => {
      process.off('exit', abandon)
      const ended = once(child, 'exit')
      if (child.exitCode === null && child.kill('SIGTERM')) await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
