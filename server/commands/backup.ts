import { checkBackup } from '../backup/check.ts'
import { BadBackup } from '../backup/bad-backup.ts'
import { makeBackup } from '../backup/create-backup.ts'
import { progressOn, sizeInWords } from '../backup/progress.ts'
import { openMedia } from '../integrations/media/open-media.ts'
import { refuseNoShop } from '../db/snapshot.ts'
import { readBackupSettings, readConfig, readPlace } from '../settings/config.ts'
import { command, reading, typed } from './run-command.ts'

const USAGE = `Usage: npm run backup -- FILE [--media list]
       npm run backup -- --check FILE

Writes the shop to one file, while it runs: database, keys, sound, e-books and pictures. Set BACKUP_PASSPHRASE to encrypt it.

  --media list   includes only a list of the sound, e-book and picture files; back them up yourself
  --check        restores a backup into a temporary database and checks that it is complete`

const read = reading(
  USAGE,
  { media: { type: 'string', default: 'whole' }, check: { type: 'boolean', default: false } },
  ({ values: { media, check }, positionals: [file, ...more] }) =>
    file === undefined || more.length > 0 || (media !== 'whole' && media !== 'list')
      ? USAGE
      : { file, media: media === 'list' ? ('list' as const) : ('whole' as const), check },
)

await command(async () => {
  const asked = typed(read)
  const { backupPassphrase: passphrase } = readBackupSettings()
  const progress = progressOn(process.stderr)
  if (asked.check) return check(asked.file)
  refuseNoShop(readPlace())
  const shop = readConfig(process.env, [])
  const { rows, files, mediaBytes } = await makeBackup({
    ...asked,
    shop,
    store: openMedia(shop),
    passphrase,
    now: new Date(),
    progress,
  })
  const media = asked.media === 'whole' ? 'files' : 'listed files'
  console.log(
    `${asked.file} holds ${rows.toLocaleString('en-GB')} rows, the keys, and ${files.toLocaleString('en-GB')} ${media} (${sizeInWords(mediaBytes)}).`,
  )
  if (!passphrase)
    console.log(
      'It is not encrypted: whoever has it can open the shop. Keep it safe, or set BACKUP_PASSPHRASE and make it again.',
    )
  return 0

  async function check(file: string): Promise<number> {
    const { found, faults } = await checkBackup({ file, passphrase, progress })
    console.log(found)
    for (const fault of faults) console.log(fault)
    console.log(faults.length === 0 ? 'This backup can be restored.' : 'This backup lacks something.')
    return faults.length === 0 ? 0 : 1
  }
}, [BadBackup])
