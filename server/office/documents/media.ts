import { extname, join } from 'node:path'
import { storePicture, storeSound, type StoredPicture } from '#contract/office/media.ts'
import { refused, unavailable } from '../../http/http-errors.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { countOrRefuse, type Limit } from '../../rate-limiting/rate-limit.ts'
import type { Shop } from '../../shop.ts'
import { batchOf, dropBatch } from '../imports/service.ts'
import { folderOf, receivedFiles } from '../imports/uploads.ts'

/** The importer's part, which `main.ts` brings. Each throws 422 in words. */
export interface MediaImporter {
  readonly importPicture: (shop: Pick<Shop, 'db' | 'media'>, bytes: Buffer) => Promise<StoredPicture>
  readonly importSound: (
    shop: Pick<Shop, 'db' | 'media'>,
    path: string,
  ) => Promise<{ readonly id: string; readonly seconds: number }>
}

const PICTURES: Limit = { name: 'office pictures of', most: 200, windowSeconds: 3600 }

export function registerDocumentMedia(
  server: ApiServer,
  loadImporter: (() => Promise<MediaImporter>) | undefined,
): void {
  const { shop } = server
  const importer = async (): Promise<MediaImporter> => {
    if (!loadImporter) throw unavailable(60)
    return loadImporter()
  }

  serve(server, storePicture, async ({ body: { base64 }, staff }) => {
    await countOrRefuse(shop.db, PICTURES, staff.staffId, shop.now())
    return (await importer()).importPicture(shop, Buffer.from(base64, 'base64'))
  })
  serve(server, storeSound, async ({ body: { batch }, staff }) => {
    const { id } = await batchOf(shop, staff, batch)
    const sounds = (await receivedFiles(shop, id)).filter(({ path }) => /^\.(mp3|m4a)$/i.test(extname(path)))
    if (sounds.length !== 1) throw refused('Choose one MP3 or M4A file.')
    const stored = await (await importer()).importSound(shop, join(folderOf(shop, id), sounds[0]!.path))
    await dropBatch(shop, staff, id)
    return stored
  })
}
