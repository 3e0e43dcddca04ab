import { Command } from '@commander-js/extra-typings'
import { progressOn, sizeInWords } from '../backup/progress.ts'
import { StoreUnavailable } from '../integrations/media/media-store.ts'
import { moveMedia } from '../integrations/media/move.ts'
import { mediaFolder, openMedia } from '../integrations/media/open-media.ts'
import { readMedia } from '../settings/config.ts'
import { BadSetting } from '../settings/bad-setting.ts'
import { type Group, group } from './command-line.ts'

/** `media sweep` is in `importer/sweep-command.ts`. */
export const mediaCommand: Group = ({ run }) =>
  group('media', [
    new Command('move')
      .description(
        'Copies sound, e-books and pictures from DATA_DIR/media to the bucket in MEDIA_S3_URL (https://KEY:SECRET@host/bucket), also while the shop runs. Existing files are skipped, so that you can run it again after an interruption or for new files. Each file is read back and compared. Nothing is deleted from the folder.',
      )
      .action(() => run(move, [StoreUnavailable])),
  ])

async function move(): Promise<number> {
  const place = readMedia()
  if (!place.media.bucket)
    throw new BadSetting(
      'Set MEDIA_S3_URL to the address of the bucket: MEDIA_S3_URL=https://KEY:SECRET@host/bucket npm run media:move',
    )
  const to = openMedia(place)
  const progress = progressOn(process.stderr)
  progress.begin('Looking at what is there')
  let bytes = 0
  const { copied, there, damaged } = await moveMedia(mediaFolder(place.dataDir), to, (done, all) => {
    bytes = all
    progress.bytes('Sound, e-books and pictures', done, all)
  })
  progress.end()
  const counted = (count: number) => count.toLocaleString('en-GB')
  console.log(
    `${to.name} has ${counted(copied + there)} files (${sizeInWords(bytes)}), ${counted(copied)} of them new.`,
  )
  for (const path of damaged) console.log(`Not copied, because it is not what its name says: ${path}`)
  if (damaged.length > 0) {
    console.log(
      'Bring what is damaged back from a backup, or import its title again, and type this once more.',
    )
    return 1
  }
  console.log('Start the shop with this MEDIA_S3_URL, then type this once more for what came in meanwhile.')
  return 0
}
