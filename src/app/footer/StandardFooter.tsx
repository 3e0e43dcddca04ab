import type { PageDetails } from '#contract/shop-details.ts'
import { ConsentLine } from '#features/analytics/ConsentLine.tsx'
import { NewsletterForm } from '#features/newsletter/NewsletterForm.tsx'
import { shop } from '#features/shop-details/shop.ts'
import { Footer, type FooterProps } from './Footer.tsx'
import { Letter } from './Letter.tsx'
import { linkOf, type MenuGroup } from '../menus/menu-links.ts'

/** The footer of every standard page; the menu comes from the owner. `letter` is false where the page itself asks. */
export const StandardFooter = ({ menu, letter }: { menu: FooterProps['columns']; letter: boolean }) => (
  <Footer
    columns={[...(shop().footer?.map(columnOf) ?? menu), YOURS]}
    newsletter={
      letter && (
        <Letter {...shop().newsletter}>
          <NewsletterForm tone="ink" />
        </Letter>
      )
    }
    social={shop().social}
    settings={<ConsentLine />}
    imprint={shop().about}
  />
)

const columnOf = ({ title, links }: NonNullable<PageDetails['footer']>[number]) => ({
  title,
  links: links.map(linkOf),
})

/** The footer's own links beside the owner's menu: the reader's own, and the booksellers' door (FTR-01). */
const YOURS: MenuGroup = {
  title: 'Yours',
  links: [
    { label: 'Library', to: '/library' },
    { label: 'Orders', to: '/orders' },
    { label: 'Downloads', to: '/downloads' },
    { label: 'Settings', to: '/settings' },
    { label: 'Withdraw from contract here', to: '/withdraw' },
    { label: 'For booksellers', to: '/reseller' },
  ],
}
