import { ConsentLine } from '#features/analytics/ConsentLine.tsx'
import { NewsletterForm } from '#features/newsletter/NewsletterForm.tsx'
import { NEWSLETTER, SOCIAL, YOURS } from '../menus/links.ts'
import { Footer, type FooterProps } from './Footer.tsx'
import { Letter } from './Letter.tsx'

/** The footer of every standard page; the menu comes from the owner. `letter` is false where the page itself asks. */
export const StandardFooter = ({ menu, letter }: { menu: FooterProps['columns']; letter: boolean }) => (
  <Footer
    columns={[...menu, YOURS]}
    newsletter={
      letter && (
        <Letter {...NEWSLETTER}>
          <NewsletterForm tone="ink" />
        </Letter>
      )
    }
    social={SOCIAL}
    settings={<ConsentLine />}
    imprint="Murmur, a small bookshop with one very good voice in it."
  />
)
