import { Command, Option } from '@commander-js/extra-typings'
import { checkBackup } from '../backup/check.ts'
import { BadBackup } from '../backup/bad-backup.ts'
import { makeBackup } from '../backup/create-backup.ts'
import { progressOn, sizeInWords } from '../backup/progress.ts'
import { openMedia } from '../integrations/media/open-media.ts'
import { refuseNoShop } from '../db/snapshot.ts'
import { readBackupSettings, readConfig, readPlace } from '../settings/config.ts'
import type { Group } from './command-line.ts'

export const backupCommand: Group = ({ run }) =>
  new Command('backup')
    .description(
      'Writes the shop to one file, while it runs: database, keys, sound, e-books and pictures. Set BACKUP_PASSPHRASE to encrypt it.',
    )
    .argument('<file>')
    .addOption(
      new Option(
        '--media <which>',
        'list includes only a list of the sound, e-book and picture files; back them up yourself',
      )
        .choices(['whole', 'list'] as const)
        .default('whole' as const),
    )
    .option('--check', 'Restores a backup into a temporary database and checks that it is complete')
    .action((file, { media, check: isCheck }) =>
      run(() => (isCheck ? check(file) : backUp(file, media)), [BadBackup]),
    )

async function backUp(file: string, media: 'whole' | 'list'): Promise<void> {
  const { backupPassphrase: passphrase } = readBackupSettings()
  refuseNoShop(readPlace())
  const shop = readConfig(process.env, [])
  const { rows, files, mediaBytes } = await makeBackup({
    file,
    media,
    shop,
    store: openMedia(shop),
    passphrase,
    now: new Date(),
    progress: progressOn(process.stderr),
  })
  const what = media === 'whole' ? 'files' : 'listed files'
  console.log(
    `${file} holds ${rows.toLocaleString('en-GB')} rows, the keys, and ${files.toLocaleString('en-GB')} ${what} (${sizeInWords(mediaBytes)}).`,
  )
  if (!passphrase)
    console.log(
      'It is not encrypted: whoever has it can open the shop. Keep it safe, or set BACKUP_PASSPHRASE and make it again.',
    )
}

async function check(file: string): Promise<number> {
  const { backupPassphrase: passphrase } = readBackupSettings()
  const { found, faults } = await checkBackup({ file, passphrase, progress: progressOn(process.stderr) })
  console.log(found)
  for (const fault of faults) console.log(fault)
  console.log(faults.length === 0 ? 'This backup can be restored.' : 'This backup lacks something.')
  return faults.length === 0 ? 0 : 1
}
