// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Cover, type CoverPicture } from './Cover.tsx'

afterEach(cleanup)

const picture: CoverPicture = {
  avif: { 330: '/c-330.avif', 600: '/c-600.avif', 900: '/c-900.avif' },
  webp: { 330: '/c-330.webp', 600: '/c-600.webp', 900: '/c-900.webp' },
  thumb: { webp: '/c-thumb.webp' },
  width: 900,
  height: 1350,
  placeholder: '1f3d43'.repeat(16),
  ground: '#17313A',
}

test('a cover offers AVIF before WebP, in three widths, in a box of known size', () => {
  const { container } = render(<Cover picture={picture} alt="Cover of A by B" sizes="41vw" />)
  const sources = [...container.querySelectorAll('source')].map((source) => [source.type, source.srcset])
  expect(sources).toEqual([
    ['image/avif', '/c-330.avif 330w, /c-600.avif 600w, /c-900.avif 900w'],
    ['image/webp', '/c-330.webp 330w, /c-600.webp 600w, /c-900.webp 900w'],
  ])
  const image = screen.getByRole('img', { name: 'Cover of A by B' })
  expect([image.getAttribute('width'), image.getAttribute('height')]).toEqual(['900', '1350'])
  expect(image.getAttribute('loading')).toBe('lazy')
  const rows = container.querySelector('span')!.style.backgroundImage.split('linear-gradient')
  expect(rows).toHaveLength(1 + 4)
  expect(rows[1]!.match(/#244|rgb\(34, 68, 68\)/g)).toHaveLength(4)
})

test('the hero loads first, the thumbnail has no type', () => {
  const { container } = render(
    <>
      <Cover hero picture={picture} alt="Hero" sizes="440px" />
      <Cover thumb picture={picture} alt="" sizes="48px" />
    </>,
  )
  const [hero, thumb] = [...container.querySelectorAll('img')]
  expect(hero?.getAttribute('loading')).toBe('eager')
  expect(hero?.getAttribute('fetchpriority')).toBe('high')
  expect(thumb?.getAttribute('src')).toBe('/c-thumb.webp')
})

test('an invalid placeholder is left out', () => {
  const { container } = render(<Cover picture={{ ...picture, placeholder: 'nonsense' }} alt="" sizes="1px" />)
  expect(container.querySelector('span')!.style.backgroundImage).toBe('')
})

test('a picture of another aspect ratio hides the placeholder, one that fills its box does not', () => {
  const { container } = render(<Cover picture={picture} alt="" sizes="1px" />)
  const frame = container.querySelector('span')!
  const image = container.querySelector('img')!
  const comes = (width: number, height: number) => {
    Object.defineProperties(image, {
      naturalWidth: { value: width, configurable: true },
      naturalHeight: { value: height, configurable: true },
    })
    fireEvent.load(image)
  }
  comes(330, 495)
  expect(frame.style.backgroundImage).toContain('linear-gradient')
  comes(330, 440)
  expect(frame.style.backgroundImage).toBe('')
  expect(frame.style.getPropertyValue('--cover-ground')).toBe('#17313A')
})
