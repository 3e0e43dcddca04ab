import { BadSetting } from '../../settings/bad-setting.ts'

/** For a small machine, but durable. An owner overrides them with `EMBEDDED_POSTGRES` (README.md, Settings). */
const SETTINGS: Readonly<Record<string, string>> = {
  shared_buffers: '32MB',
  work_mem: '8MB',
  maintenance_work_mem: '32MB',
  max_connections: '40',
  autovacuum_max_workers: '1',
  autovacuum_worker_slots: '1',
  // Parallel queries need shared memory, and a container has only 64 MB of it.
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  max_worker_processes: '0',
  max_logical_replication_workers: '0',
  io_method: 'sync',
  jit: 'off',
  huge_pages: 'off',
  // No replication; backups read tables through a connection.
  wal_level: 'minimal',
  max_wal_senders: '0',
  min_wal_size: '32MB',
  max_wal_size: '128MB',
  // Error messages may contain personal data. The server logs the errors of its own queries without it.
  log_min_messages: 'fatal',
  log_min_error_statement: 'panic',
  timezone: 'UTC',
  log_timezone: 'UTC',
  listen_addresses: '',
  unix_socket_permissions: '0700',
}

/** @param more such as `shared_buffers=256MB work_mem=16MB` @throws {BadSetting} */
export function asArguments(more: string, given: Readonly<Record<string, string>> = {}): string[] {
  const all = { ...SETTINGS, ...given }
  for (const part of more.split(/\s+/).filter(Boolean)) {
    const [, name, value] = /^([a-z_.]+)=(.+)$/.exec(part) ?? []
    if (!name || !value)
      throw new BadSetting(
        `EMBEDDED_POSTGRES has "${part}". Write NAME=VALUE, several with spaces between: shared_buffers=256MB work_mem=16MB`,
      )
    all[name] = value
  }
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
