import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, link, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from './server.ts'

export interface Nginx {
  readonly port: number
  stop(): Promise<void>
}

export const nginxIsInstalled = (): boolean => spawnSync('nginx', ['-v']).status === 0

/** Serves this file at `/sound` with sendfile. One worker, because our server is one process. */
export async function startNginx(file: string): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'murmur-nginx-'))
  // The nginx worker runs as another user.
  await chmod(folder, 0o755)
  await link(file, join(folder, 'sound'))
  await chmod(join(folder, 'sound'), 0o644)
  const port = await freePort()
  const config = join(folder, 'nginx.conf')
  await writeFile(
    config,
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
     events { worker_connections 256; }
     http {
       sendfile on; tcp_nopush on; access_log off; keepalive_requests 1000000000; default_type audio/mpeg;
       open_file_cache max=100;
       server { listen 127.0.0.1:${port}; root ${folder}; }
     }`,
  )
  const nginx = spawn('nginx', ['-c', config, '-p', folder], { stdio: 'ignore' })
  const ended = once(nginx, 'exit')
  while (!(await fetch(`http://127.0.0.1:${port}/sound`, { method: 'HEAD' }).catch(() => undefined))?.ok) {
    if (nginx.exitCode !== null) throw new Error('nginx did not start')
    await pause(50)
  }
  return {
    port,
    stop: async () => {
      nginx.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
