import Type, { type Static } from 'typebox'
import { LARGEST_PICTURE } from '../limits.ts'
import { officeEndpoint } from './office-endpoint.ts'

export const StoredPicture = Type.Object({
  id: Type.String(),
  width: Type.Integer(),
  height: Type.Integer(),
})
export type StoredPicture = Static<typeof StoredPicture>

/** In the sizes that the importer makes. A picture that no text, draft or title names is swept after a day. */
export const storePicture = officeEndpoint({
  method: 'POST',
  path: '/api/office/pictures',
  summary: 'Store a picture (JPEG, PNG, WebP) for a text',
  may: 'pages.change',
  body: Type.Object({
    base64: Type.String({
      minLength: 1,
      maxLength: Math.ceil(LARGEST_PICTURE / 3) * 4,
      pattern: '^[A-Za-z0-9+/]+={0,2}$',
    }),
  }),
  largestBody: LARGEST_PICTURE * 2,
  reply: StoredPicture,
})
export const startSound = officeEndpoint({
  method: 'POST',
  path: '/api/office/sounds/uploads',
  summary: 'Begin to upload a file for a piece or a title: it is then sent to /api/office/uploads',
  may: 'pages.change',
  reply: Type.Object({ id: Type.String() }),
})
/** The file was sent to /api/office/uploads before; it is the only one of its upload, which ends here. */
export const storeSound = officeEndpoint({
  method: 'POST',
  path: '/api/office/sounds',
  summary: 'Store an uploaded recording (MP3, M4A) for a piece or a chapter',
  may: 'pages.change',
  body: Type.Object({ batch: Type.String({ format: 'uuid' }) }),
  reply: Type.Object({ id: Type.String(), seconds: Type.Integer() }),
})
