import { useQuery } from '@tanstack/react-query';
import { useRef, type RefObject } from 'react';
import { apiQuery } from '#web/api/api-query.ts';
import type { Answer } from '#web/api/call-api.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import common from '#web/ui/common.module.css';
import { copyText } from '#web/ui/copy-text.ts';
import { formatLapDate } from '#web/ui/format.ts';
import { useCall } from '#web/ui/use-call.ts';
import { useFocusAfter } from '#web/ui/use-focus-after.ts';
import styles from './account-data.module.css';
import { ChangePassword } from './change-password.tsx';
import { LinkedProvider } from './linked-provider.tsx';
import { Passkeys } from './passkeys.tsx';
import { QueryState } from '#web/ui/state-message.tsx';
import { ProfileSection } from './profile-section.tsx';

type Credentials = Answer<'GET /api/account/credentials'>;

type SignInSettingsProps = {
  /** Asks to remove what does not belong to the user. */
  isReview?: boolean;
};

/** Shows the sign-in methods of the user, and the devices on which they are signed in. */
export function SignInSettings({ isReview = false }: SignInSettingsProps) {
  const credentials = useQuery(apiQuery('GET /api/account/credentials'));
  const { data } = credentials;
  if (!data) return <QueryState noun="sign-in settings" query={credentials} />;
  return (
    <>
      {data.mayHavePassword && (
        <ProfileSection title="Sign-in">
          {isReview && (
            <output className={classNames(common['failure'], common['boxed'])}>
              Your password is new. With the old one, everything else that opened your account has ended:
              other devices, API tokens, recovery codes and links, also those that you made for others. Make
              new ones where you need them. Are the passkeys below and the linked provider all yours? Remove
              what is not.
            </output>
          )}
          {!data.isRecent && <SignInAgain />}
          <ChangePassword credentials={data} />
          <Passkeys passkeys={data.passkeys} isRecent={data.isRecent} />
          {data.linkableProvider && (
            <LinkedProvider provider={data.linkableProvider} isRecent={data.isRecent} />
          )}
          {data.hasPassword && <RecoveryCodes left={data.recoveryCodesLeft} isRecent={data.isRecent} />}
        </ProfileSection>
      )}
      <Devices devices={data.devices} />
    </>
  );
}

function SignInAgain() {
  return (
    <div className={styles['line']}>
      <p className={common['note']}>You signed in a while ago. To change how you sign in, sign in again.</p>
      <ButtonLink href="/login?again=1&returnTo=/profile/edit/sign-in">Sign in again</ButtonLink>
    </div>
  );
}

function RecoveryCodes({ left, isRecent }: { left: number; isRecent: boolean }) {
  const { run, isBusy, result } = useCall('POST /api/account/recovery-codes', { failure: 'Not Changed' });
  return (
    <>
      <div className={styles['line']}>
        <p className={common['note']}>
          Recovery codes set a new password when you have lost yours. You have {left}.
        </p>
        <Button pending={isBusy} aria-disabled={!isRecent} onClick={() => void run()}>
          Make new codes
        </Button>
      </div>
      {result && left > 0 && <Codes codes={result.codes} />}
    </>
  );
}

function Codes({ codes }: { codes: readonly string[] }) {
  return (
    <div>
      <output>Write these codes down or print them. They are shown this once, and each works once.</output>
      <ul className={styles['list']}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Button onClick={() => void copyText('Codes', codes.join('\n'), 'Keep them like a password.')}>
        Copy codes
      </Button>
    </div>
  );
}

function Devices({ devices }: Pick<Credentials, 'devices'>) {
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <ProfileSection title="Your Devices" heading={heading}>
      {devices.map((device) => (
        <DeviceRow key={device.id} device={device} focusAfter={heading} />
      ))}
      {devices.length > 1 && <OtherDevices focusAfter={heading} />}
    </ProfileSection>
  );
}

type FocusAfter = { focusAfter: RefObject<HTMLElement | null> };

function DeviceRow({ device, focusAfter }: FocusAfter & { device: Credentials['devices'][number] }) {
  const { id, device: name, isThisOne, signedInAt } = device;
  const { run, isBusy } = useCall('DELETE /api/account/devices/:deviceId', { failure: 'Not Changed' });
  useFocusAfter(focusAfter);
  return (
    <div className={styles['line']}>
      <p>
        {name}, signed in {formatLapDate(signedInAt)} {isThisOne && <Badge>This device</Badge>}
      </p>
      {!isThisOne && (
        <Button
          pending={isBusy}
          aria-label={`Sign out ${name}`}
          onClick={() => void run({ params: { deviceId: id } })}
        >
          Sign out
        </Button>
      )}
    </div>
  );
}

function OtherDevices({ focusAfter }: FocusAfter) {
  const { run, isBusy } = useCall('DELETE /api/account/devices', { failure: 'Not Changed' });
  useFocusAfter(focusAfter);
  return (
    <div className={styles['line']}>
      <p className={common['note']}>This ends mailed sign-in links and a drive that you share, too.</p>
      <Button pending={isBusy} onClick={() => void run()}>
        Sign out all other devices
      </Button>
    </div>
  );
}
