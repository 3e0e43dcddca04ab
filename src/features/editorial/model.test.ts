import { expect, test } from 'vitest'
import { pictureOf, videoOf } from './model.ts'

test('EDIT-06: only a link with the vimeo or youtu names is embedded, anything else is an invalid URL', () => {
  expect(videoOf('https://www.youtube.com/watch?v=abcdef12345')).toEqual({
    kind: 'embed',
    address: 'https://www.youtube-nocookie.com/embed/abcdef12345',
  })
  expect(videoOf('https://youtu.be/abcdef12345')).toMatchObject({ kind: 'embed' })
  expect(videoOf('https://vimeo.com/123456')).toEqual({
    kind: 'embed',
    address: 'https://player.vimeo.com/video/123456',
  })
  expect(videoOf('https://player.vimeo.com/video/123456')).toMatchObject({ kind: 'embed' })
  // An unlisted video, and one in a user's album.
  for (const link of [
    'https://vimeo.com/123456/ab12cd34',
    'https://player.vimeo.com/video/123456?h=ab12cd34',
  ])
    expect(videoOf(link)).toEqual({
      kind: 'embed',
      address: 'https://player.vimeo.com/video/123456?h=ab12cd34',
    })
  for (const link of [
    'https://vimeo.com/channels/staffpicks/123456',
    'https://vimeo.com/showcase/99/video/123456',
  ])
    expect(videoOf(link)).toEqual({ kind: 'embed', address: 'https://player.vimeo.com/video/123456' })
  expect(videoOf('https://films.example/clip')).toEqual({ kind: 'invalid' })
  expect(videoOf('youtube')).toEqual({ kind: 'invalid' })
})

test('a stranger who only writes a known name into the address is a plain link, never embedded', () => {
  expect(videoOf('https://evil.example/youtu')).toEqual({
    kind: 'link',
    address: 'https://evil.example/youtu',
  })
  expect(videoOf('https://youtube.com.evil.example/watch?v=abcdef12345')).toMatchObject({ kind: 'link' })
  expect(videoOf('javascript:alert("youtu")')).toEqual({ kind: 'invalid' })
})

test('an item without a picture has none, one with a picture has its smaller twins', () => {
  expect(pictureOf({ image: null, imagePlaceholder: null })).toBeUndefined()
  expect(pictureOf({ image: '/media/covers/ab/abc-900.webp', imagePlaceholder: null })?.avif[330]).toBe(
    '/media/covers/ab/abc-330.avif',
  )
})
