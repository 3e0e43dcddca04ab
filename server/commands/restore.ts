import { BadBackup } from '../backup/bad-backup.ts'
import { progressOn } from '../backup/progress.ts'
import { restoreBackup } from '../backup/restore.ts'
import { openMedia } from '../integrations/media/open-media.ts'
import { countPausedMail, dropPausedMail, releasePausedMail } from '../integrations/mail/queries.ts'
import { readBackupSettings, readMedia, readPlace } from '../settings/config.ts'
import { command, reading, typed, withDatabase } from './run-command.ts'

const USAGE = `Usage: npm run restore -- FILE
       npm run restore -- --mail show|send|drop

Restores a backup into the empty folder DATA_DIR or the empty database DATABASE_URL. Set BACKUP_PASSPHRASE if it is encrypted.

A restored shop holds back the mail that waited in the backup, because it may have been sent since. Decide with:
  --mail show   how many there are of each kind
  --mail send   sends them
  --mail drop   deletes them`

const MAIL = ['show', 'send', 'drop'] as const

/** `npm run upgrade` passes `--same-moment` when a release brings another major version of PostgreSQL. */
const OPTIONS = { mail: { type: 'string' }, 'same-moment': { type: 'boolean', default: false } } as const

const read = reading(USAGE, OPTIONS, ({ values, positionals: [file, ...more] }) => {
  const mail = MAIL.find((each) => each === values.mail)
  if (values.mail !== undefined) return mail && file === undefined ? { mail } : USAGE
  return file === undefined || more.length > 0 ? USAGE : { file, isSameMoment: values['same-moment'] }
})

await command(async () => {
  const asked = typed(read)
  await (asked.file === undefined ? decide(asked.mail) : restore(asked))
}, [BadBackup])

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
