import { join } from 'node:path'
import type { Config } from '../../settings/config.ts'
import { FolderStore } from './folder-store.ts'
import type { MediaStore } from './media-store.ts'
import { S3Store } from './s3-store.ts'

export const openMedia = (
  { dataDir, media }: Pick<Config, 'dataDir' | 'media'>,
  now = () => new Date(),
): MediaStore => (media.bucket ? new S3Store(media.bucket, { ...media, now }) : mediaFolder(dataDir))

export const mediaFolder = (dataDir: string): FolderStore => new FolderStore(join(dataDir, 'media'))
