import { Command, Option } from '@commander-js/extra-typings'
import { BadBackup } from '../backup/bad-backup.ts'
import { progressOn } from '../backup/progress.ts'
import { restoreBackup } from '../backup/restore.ts'
import { openMedia } from '../integrations/media/open-media.ts'
import { countPausedMail, dropPausedMail, releasePausedMail } from '../integrations/mail/queries.ts'
import { readBackupSettings, readMedia, readPlace } from '../settings/config.ts'
import type { Group } from './command-line.ts'
import { withDatabase } from './open-shop.ts'

const MAIL = ['show', 'send', 'drop'] as const

export const restoreCommand: Group = ({ run }) =>
  new Command('restore')
    .description(
      'Restores a backup into the empty folder DATA_DIR or the empty database DATABASE_URL. Set BACKUP_PASSPHRASE if it is encrypted.',
    )
    .argument('[file]', 'The backup')
    .addOption(
      new Option(
        '--mail <decision>',
        'Instead of a file: shows, sends or deletes the mail that waited in the backup. A restored shop holds it back, because it may have been sent since',
      ).choices(MAIL),
    )
    .addOption(
      new Option('--same-moment', 'npm run upgrade: for another major version of PostgreSQL').hideHelp(),
    )
    .action((file, { mail, sameMoment: isSameMoment = false }, command) => {
      if ((file === undefined) === (mail === undefined))
        command.error('error: name the file to restore, or decide about mail with --mail')
      return run(
        () => (file === undefined ? decide(mail ?? 'show') : restore({ file, isSameMoment })),
        [BadBackup],
      )
    })

async function restore({ file, isSameMoment }: { file: string; isSameMoment: boolean }): Promise<void> {
  const into = readPlace()
  const store = openMedia(readMedia())
  const { backupPassphrase: passphrase } = readBackupSettings()
  const progress = progressOn(process.stderr)
  const { rows, manifest, missing } = await restoreBackup({
    file,
    passphrase,
    into,
    store,
    isSameMoment,
    progress,
  })
  if (isSameMoment) return console.log(`${rows.toLocaleString('en-GB')} rows are in the new database.`)
  console.log(
    `The shop of ${manifest.madeAt.slice(0, 16).replace('T', ' ')} (UTC) is back, with ${rows.toLocaleString('en-GB')} rows.`,
  )
  if (missing.length > 0)
    console.log(
      `${missing.length === 1 ? '1 file is' : `${missing.length.toLocaleString('en-GB')} files are`} missing, for example ${missing[0]}: copy them into ${store.name}.`,
    )
  if (into.databaseUrl)
    console.log(
      `Start it with what stands in ${into.dataDir}/app.key as APP_KEYS and in code.key as CODE_KEY.`,
    )
  console.log(
    'When it starts it first asks the payment provider what happened meanwhile. Mail that waited is not sent until you say so: npm run restore -- --mail show',
  )
}

function decide(mail: (typeof MAIL)[number]): Promise<void> {
  return withDatabase(async ({ db }) => {
    if (mail === 'send') return console.log(`${mails(await releasePausedMail(db))} on the way.`)
    if (mail === 'drop')
      return console.log(`${mails(await dropPausedMail(db))} dropped, and will never be sent.`)
    const kinds = await countPausedMail(db)
    if (kinds.length === 0) return console.log('No mail waits for your word.')
    for (const { kind, count } of kinds)
      console.log(`${String(count).padStart(6)}  ${kind.replaceAll('_', ' ')}`)
    console.log('Send them with --mail send, or let them go with --mail drop.')
  })
}

function mails(count: number): string {
  return `${count.toLocaleString('en-GB')} ${count === 1 ? 'mail is' : 'mails are'}`
}
