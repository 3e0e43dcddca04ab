import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DAY_MS } from '#contract/durations.ts'
import { mediaFolder } from '#server/integrations/media/open-media.ts'
import { freshDataDir } from '#tests/support/database.ts'
import { silently } from './progress.ts'
import { verify } from './restore.ts'
import { backUpSince, newestBackup, worthKeeping } from './nightly.ts'

test('nightly backups over two years keep seven days, four weeks and twelve months', () => {
  let kept: Date[] = []
  for (let night = 0; night < 730; night++)
    kept = worthKeeping([...kept, new Date(Date.UTC(2025, 0, 1, 3, 17) + night * DAY_MS)])
  const days = kept.map((moment) => moment.toISOString().slice(0, 10))
  expect(days).toEqual([
    // The last night is Thursday, 31 December 2026.
    ...['2026-12-31', '2026-12-30', '2026-12-29', '2026-12-28', '2026-12-27', '2026-12-26', '2026-12-25'],
    ...['2026-12-20', '2026-12-13'],
    ...['2026-11-30', '2026-10-31', '2026-09-30', '2026-08-31', '2026-07-31', '2026-06-30'],
    ...['2026-05-31', '2026-04-30', '2026-03-31', '2026-02-28', '2026-01-31'],
  ])
})

test('each night adds one backup and the new media, and deletes old backups afterwards', async () => {
  const dataDir = await freshDataDir()
  const folder = mkdtempSync(join(tmpdir(), 'murmur-nightly-'))
  const shop = {
    dataDir,
    databaseUrl: undefined,
    appKeys: ['k'.repeat(32)] as const,
    codeKey: 'c'.repeat(32),
    backupPassphrase: undefined,
  }
  mkdirSync(join(dataDir, 'media/ab'), { recursive: true })
  writeFileSync(join(dataDir, 'media/ab/sound.mp3'), 'sound')
  for (const day of ['20', '21', '22', '23', '24', '25', '26', '27'])
    writeFileSync(join(folder, `murmur-2026-11-${day}T0317Z.backup`), '')
  writeFileSync(join(folder, 'murmur-of-mine.backup'), '')
  writeFileSync(join(folder, 'unfinished'), 'half of one')
  const [night, now] = [new Date('2026-11-28T03:17:00Z'), new Date('2026-11-28T09:00:00Z')]
  try {
    expect(await backUpSince(shop, mediaFolder(dataDir), folder, night, now)).toBe(true)
    expect(await newestBackup(folder)).toEqual(now)
    expect(readFileSync(join(folder, 'media/ab/sound.mp3'), 'utf8')).toBe('sound')
    const names = readdirSync(folder)
    const { media } = await verify(join(folder, 'murmur-2026-11-28T0900Z.backup'), undefined, silently)
    expect([...media]).toEqual([['ab/sound.mp3', 5]])
    expect(names).toContain('murmur-of-mine.backup')
    expect(names).not.toContain('murmur-2026-11-20T0317Z.backup')
    // A Sunday.
    expect(names).toContain('murmur-2026-11-22T0317Z.backup')
    expect(existsSync(join(folder, 'unfinished'))).toBe(false)
    expect(
      await backUpSince(shop, mediaFolder(dataDir), folder, night, new Date('2026-11-28T09:30:00Z')),
    ).toBe(false)
  } finally {
    rmSync(dataDir, { recursive: true })
    rmSync(folder, { recursive: true })
  }
})
