import type { Shop } from '../shop.ts'
import type { ImportUploads } from './imports/service.ts'

type OfShop = Pick<Shop, 'db' | 'media'>

/** What the office needs of the importer. The server doesn't import it: `main.ts` passes it in. */
export interface Importer {
  readonly importUploads: ImportUploads
  /** Renders and stores a picture. @returns its cover's id. @throws 422 for anything but a JPEG, PNG or WebP picture */
  readonly storeCover: (shop: OfShop, picture: Uint8Array) => Promise<string>
  /** Stores a picture of a text. @returns its id. @throws 422 as `storeCover` */
  readonly storePicture: (shop: OfShop, picture: Buffer) => Promise<string>
  /** Stores a recording. @throws 422 for a damaged one, with the reason */
  readonly storeSound: (
    shop: OfShop,
    path: string,
  ) => Promise<{ readonly id: string; readonly seconds: number }>
  /** Stores the text of an e-book. @returns its file's id. @throws 422 for what is no EPUB, with the reason */
  readonly storeText: (shop: OfShop, path: string) => Promise<string>
  /** Draws and stores the cover of a title without a picture. */
  readonly drawCover: (shop: OfShop, title: DrawnTitle) => Promise<string>
  /** For titles without colours of their own. */
  readonly coloursFor: (slug: string) => Pick<TitleColours, 'background' | 'container' | 'text'>
}

interface TitleColours {
  readonly background?: string | null
  readonly container?: string | null
  readonly text?: string | null
}

export interface DrawnTitle {
  readonly slug: string
  readonly title: string
  readonly tags: readonly string[]
  readonly locations: readonly string[]
  readonly author: string
  readonly format: 'audio_book' | 'e_book'
  readonly colours: TitleColours
}

/** Loaded when it is first needed: the importer is heavy, and most servers never import anything. */
export type LoadImporter = () => Promise<Importer>
