/** Who answers booksellers and readers; a bookshop’s account opens no other page to find it on (ROLE-14). */
export const SUPPORT_MAIL = 'support@murmur.example'
export const TILL_PHONE = '0191 496 0142'
