import type { MailKind } from '#contract/mail/labels.ts';
import { linkPath } from '#contract/sign-in/labels.ts';
import { IF_NOT_YOU, SIGN_IN_CHANGES } from '#server/model/notices/describe-notice.ts';
import type { SignInChange } from '#server/model/notices/notice-kinds.ts';
import type { Mail } from './render-mail.ts';

export type Site = { name: string; publicUrl: string };

export function writeInvitation(
  { name, publicUrl }: Site,
  { inviter, token, days }: { inviter: string; token: string; days: number },
): Mail {
  return {
    subject: `${inviter} invites you to ${name}`,
    paragraphs: [
      `${inviter} invites you to the lap-time boards of ${name}.`,
      `The link works once, for ${days === 1 ? 'one day' : `${days} days`}.`,
    ],
    action: { label: 'Make my account', url: publicUrl + linkPath('invitation', token) },
    reason: `${inviter} entered your address at ${publicUrl}. If you do not know them, ignore this mail.`,
  };
}

export function writeReset({ publicUrl }: Site, { token }: { token: string }): Mail {
  return {
    subject: 'Choose a new password',
    paragraphs: ['The link below sets a new password. It works once, for an hour.'],
    action: { label: 'Set new password', url: publicUrl + linkPath('reset', token) },
    reason: `Somebody asked for this at ${publicUrl}. If it was not you, ignore this mail: your password stays.`,
  };
}

export function writeSignInLink({ name, publicUrl }: Site, { token }: { token: string }): Mail {
  return {
    subject: `Sign in to ${name}`,
    paragraphs: ['The link below signs you in. It works once, for 15 minutes.'],
    action: { label: 'Sign in', url: publicUrl + linkPath('sign-in', token) },
    reason: `Somebody asked for this at ${publicUrl}. If it was not you, ignore this mail, and give the link to no one.`,
  };
}

export function writeSignInChanged({ publicUrl }: Site, change: SignInChange): Mail {
  return {
    subject: SIGN_IN_CHANGES[change],
    paragraphs: [IF_NOT_YOU],
    action: { label: 'See how I sign in', url: `${publicUrl}/profile/edit/sign-in` },
    reason: `You have an account at ${publicUrl}. This mail comes whenever its sign-in changes.`,
  };
}

export function writeConfirmation({ publicUrl }: Site, { token }: { token: string }): Mail {
  return {
    subject: 'Confirm your address',
    paragraphs: [
      'You switched Email Updates on. Confirm that this address is yours, and the mails begin. The link works for a week.',
    ],
    action: { label: 'Confirm my address', url: publicUrl + linkPath('confirmation', token) },
    reason: `Somebody with an account at ${publicUrl} gave this address. If it was not you, ignore this mail: no other one follows.`,
  };
}

type DigestDeps = {
  notices: readonly { text: string; link: string | null }[];
  unsubscribeUrl: string;
};

export function writeDigest({ publicUrl }: Site, { notices, unsubscribeUrl }: DigestDeps): Mail {
  const [only] = notices;
  return {
    subject: notices.length === 1 && only ? only.text : `${notices.length} new notices`,
    paragraphs: ['Since yesterday:'],
    items: notices.map(({ text, link }) => ({ text, url: link === null ? null : publicUrl + link })),
    reason: `You get this mail because Email Updates is on in your profile at ${publicUrl}.`,
    unsubscribeUrl,
  };
}

export function writeTest({ name, publicUrl }: Site): Mail {
  return {
    subject: `${name} can send mail`,
    paragraphs: ['This is the test mail that you asked for. Mails of this server arrive.'],
    reason: `An administrator of ${publicUrl} asked for it.`,
  };
}

const EXAMPLE_TOKEN = 'this-is-an-example-and-opens-nothing-at-all';

/** Writes a mail of any kind with example data, as a preview for administrators. */
export function writeExample(kind: MailKind, site: Site): Mail {
  const token = EXAMPLE_TOKEN;
  const examples: Record<MailKind, () => Mail> = {
    invitation: () => writeInvitation(site, { inviter: 'Ana Lima', token, days: 7 }),
    reset: () => writeReset(site, { token }),
    'sign-in': () => writeSignInLink(site, { token }),
    'sign-in-changed': () => writeSignInChanged(site, 'change-password'),
    confirmation: () => writeConfirmation(site, { token }),
    digest: () =>
      writeDigest(site, {
        notices: [
          {
            text: 'Ana Lima passed you at Lydden Hill by 0.21 s: you went from P3 to P4.',
            link: '/leaderboards',
          },
          { text: 'Your lap of 1:02.481 at Lydden Hill was checked and counts.', link: '/leaderboards' },
        ],
        unsubscribeUrl: `${site.publicUrl}/api/mail/unsubscribe?token=${EXAMPLE_TOKEN}`,
      }),
    test: () => writeTest(site),
  };
  return examples[kind]();
}
