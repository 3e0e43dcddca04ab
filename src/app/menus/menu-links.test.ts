import { expect, test } from 'vitest'
import { linkOf, menuGroups } from './links.ts'

const line = (group: string, title: string, url = '/faq', style: string | null = null) => ({
  group,
  title,
  url,
  style,
})

test('HDR-04: groups entries, with groups and entries in their original order', () => {
  const groups = menuGroups([
    line('Products', 'Browse'),
    line('Links', 'JOIN'),
    line('Products', 'Editions'),
    line('Murmurations', 'Articles'),
  ])
  expect(groups.map(({ title, links }) => [title, links.map(({ label }) => label)])).toEqual([
    ['Products', ['Browse', 'Editions']],
    ['Links', ['JOIN']],
    ['Murmurations', ['Articles']],
  ])
})

test('HDR-01: a link keeps the query of its address', () => {
  expect(linkOf(line('Products', 'Editions', '/editions?_page=1&itemsPerPage=5'))).toEqual({
    label: 'Editions',
    to: '/editions',
    search: { _page: '1', itemsPerPage: '5' },
  })
})

test('HDR-15: only the style "Italic" sets an entry in italics', () => {
  expect(linkOf(line('Links', 'Dilemma', '/faq', 'Italic')).italic).toBe(true)
  expect(linkOf(line('Links', 'Dilemma', '/faq', 'Bold'))).not.toHaveProperty('italic')
})
