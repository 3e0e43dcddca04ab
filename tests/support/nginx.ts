import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from './server-process.ts'

/** Where nginx is, if it is here. */
export const findNginx = (): string | undefined =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
    .map((folder) => join(folder, 'nginx'))
    .find((path) => existsSync(path))

export interface Proxy {
  readonly url: string
  /** What it complained of: servers that it found gone, among them those that were meant to. */
  readonly complaints: () => string
  close(): Promise<void>
}

/** nginx with the example that owners have, before servers at these ports. Without TLS, which its own test reads. */
export async function startNginx(ports: readonly string[]): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), 'murmur-nginx-'))
  const port = await freePort()
  const servers = ports.map((each) => `  server 127.0.0.1:${each} max_fails=0;\n`).join('')
  const site = readFileSync('docs/operating/nginx.conf', 'utf8')
    .replace(/(?:^ {2}server 127\.0\.0\.1:\d+ .*\n)+/m, servers)
    // What sends visitors on to TLS.
    .replace(/^server \{\n {2}listen 80;[^}]+\}\n/m, '')
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
    .replaceAll(/^ {2}(?:listen \[|ssl_).*\n/gm, '')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join(' ')
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${process.getuid?.() === 0 ? 'user root;' : ''} worker_processes 2; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 1024; }
http { access_log off; ${temporary}
${site} }`,
  )
  const nginx = spawn(findNginx()!, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'], {
    stdio: 'ignore',
  })
  const abandon = () => nginx.kill('SIGTERM')
  process.once('exit', abandon)
  const url = `http://127.0.0.1:${port}`
  while (!(await fetch(`${url}/api/health/live`).catch(() => undefined))?.ok) {
    if (nginx.exitCode !== null)
      throw new Error(`nginx did not start: ${readFileSync(join(folder, 'error.log'), 'utf8')}`)
    await pause(50)
  }
  return {
    url,
    complaints: () => readFileSync(join(folder, 'error.log'), 'utf8'),
    close: async () => {
      process.off('exit', abandon)
      const ended = once(nginx, 'exit')
      if (nginx.exitCode === null && nginx.kill('SIGTERM')) await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
