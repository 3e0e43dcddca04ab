import type { Config } from '../settings/config.ts'
import { checkBackups } from './checks/backups.ts'
import { checkDisk } from './checks/disk.ts'
import { checkMemory } from './checks/memory.ts'
import { checkPermissions } from './checks/permissions.ts'
import { checkSettings } from './checks/settings.ts'
import { checkUnfinishedRestore } from './checks/unfinished-restore.ts'
import { findings, type Named, type QuickCheck } from './finding.ts'

const CHECKS: Readonly<Record<string, QuickCheck>> = {
  settings: checkSettings,
  permissions: checkPermissions,
  disk: checkDisk,
  memory: checkMemory,
  backups: (config) => checkBackups(config),
  restore: checkUnfinishedRestore,
}

export const examineQuickly = (config: Config): AsyncGenerator<Named> => findings(CHECKS, config)
