import { Window } from 'happy-dom'
import { inProcess } from '#server/pages/renderer.ts'
import { render } from '../../src/entry-server.tsx'
import type { TestShop } from '#tests/support/shop.ts'

/** Public screens, as the server renders them for a visitor from this country. */
export const screensOf = (shop: TestShop) => async (url: string) => {
  const visitor = { country: 'GB', address: '192.0.2.1' }
  const page = await render({
    url,
    origin: 'http://shop',
    fetch: inProcess(shop.app, visitor),
    details: shop.config.details.ofPages,
  })
  if (page.redirect !== undefined) throw new Error(`${url} leads to ${page.redirect}`)
  const { document } = new Window()
  document.body.innerHTML = page.app
  const all = (selector: string) => [...document.querySelectorAll(selector)]
  const textsOf = (selector: string) => all(selector).map(({ textContent }) => textContent)
  return {
    status: page.status,
    title: /<title>(.*?)<\/title>/.exec(page.head)?.[1],
    heading: document.querySelector('h1')?.textContent,
    text: document.body.textContent,
    links: all('a').map((link) => link.getAttribute('href')!),
    /** The target of the link with this name, or undefined. */
    linkTo: (name: string) =>
      all('main a')
        .find((link) => link.textContent === name)
        ?.getAttribute('href'),
    /** The live region, which announces the number of results. */
    count: document.querySelector('main [role=status]')?.textContent,
    sections: textsOf('main h2'),
    /** The titles on the shelf; each one is a heading. */
    titles: textsOf('main ul[role=list] > li :is(h2, h3)'),
    /** The titles among search results of several kinds. */
    foundTitles: textsOf('main ul[aria-label=Titles] h3'),
    /** The link targets of the listed titles. */
    listed: all('main ul[role=list] > li :is(h2, h3)')
      .flatMap((heading) => heading.closest('a') ?? heading.querySelector('a') ?? [])
      .map((link) => link.getAttribute('href')!),
    carousel(name: string) {
      const section = all('section[aria-labelledby]').find(
        (each) => each.querySelector('h2')?.textContent === name,
      )
      return {
        slides: [...(section?.querySelectorAll('li') ?? [])].map((slide) =>
          slide.querySelector('a')?.getAttribute('href')?.split('/').at(-1),
        ),
        all: [...(section?.querySelectorAll('a') ?? [])]
          .find((link) => link.textContent === 'View all')
          ?.getAttribute('href'),
      }
    },
  }
}
