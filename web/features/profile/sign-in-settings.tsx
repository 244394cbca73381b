import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { describeError } from '#web/api/api-error.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { callApi, type Answer } from '#web/api/call-api.ts';
import { refresh } from '#web/api/refresh.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { copyText } from '#web/ui/copy-text.ts';
import { formatLapDate } from '#web/ui/format.ts';
import { showToast } from '#web/ui/toasts.ts';
import styles from './account-data.module.css';
import { ChangePassword } from './change-password.tsx';
import { LinkedProvider } from './linked-provider.tsx';
import { Passkeys } from './passkeys.tsx';
import { ProfileSection } from './profile-section.tsx';

type Credentials = Answer<'GET /api/account/credentials'>;
type Run = (work: () => Promise<unknown>) => void;

/** How the user signs in, and the devices where they are signed in. */
export function SignInSettings() {
  const queryClient = useQueryClient();
  const { data } = useQuery(apiQuery('GET /api/account/credentials'));
  const [isBusy, setIsBusy] = useState(false);
  if (!data) return null;

  const reload = () => refresh(['account'], queryClient);
  const run: Run = (work) => void change(work);
  async function change(work: () => Promise<unknown>): Promise<void> {
    if (isBusy) return;
    setIsBusy(true);
    try {
      await work();
      await reload();
    } catch (error) {
      showToast({ title: 'Not Changed', description: describeError(error), destructive: true });
    }
    setIsBusy(false);
  }

  return (
    <>
      {data.mayHavePassword && (
        <ProfileSection title="Sign-in">
          {!data.isRecent && <SignInAgain />}
          <ChangePassword signInEmail={data.signInEmail} onChanged={reload} />
          <Passkeys
            passkeys={data.passkeys}
            isRecent={data.isRecent}
            isBusy={isBusy}
            run={run}
            onChanged={reload}
          />
          {data.linkableProvider && (
            <LinkedProvider
              provider={data.linkableProvider}
              isRecent={data.isRecent}
              isBusy={isBusy}
              run={run}
            />
          )}
          {data.signInEmail !== null && (
            <RecoveryCodes left={data.recoveryCodesLeft} isRecent={data.isRecent} isBusy={isBusy} run={run} />
          )}
        </ProfileSection>
      )}
      <Devices devices={data.devices} isBusy={isBusy} run={run} />
    </>
  );
}

function SignInAgain() {
  return (
    <div className={styles['line']}>
      <p className={styles['hint']}>You signed in a while ago. To change how you sign in, sign in again.</p>
      <ButtonLink href="/login?again=1&returnTo=/profile/edit">Sign in again</ButtonLink>
    </div>
  );
}

type PartProps = { isBusy: boolean; run: Run };

function RecoveryCodes({ left, isRecent, isBusy, run }: PartProps & { left: number; isRecent: boolean }) {
  const [codes, setCodes] = useState<string[]>([]);

  async function makeCodes(): Promise<void> {
    setCodes((await callApi('POST /api/account/recovery-codes')).codes);
  }

  return (
    <>
      <div className={styles['line']}>
        <p className={styles['hint']}>
          Recovery codes set a new password when you have lost yours. You have {left}.
        </p>
        <Button pending={isBusy} aria-disabled={!isRecent} onClick={() => run(makeCodes)}>
          Make new codes
        </Button>
      </div>
      {codes.length > 0 && <Codes codes={codes} />}
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

function Devices({ devices, isBusy, run }: PartProps & Pick<Credentials, 'devices'>) {
  return (
    <ProfileSection title="Your Devices">
      {devices.map(({ id, device, isThisOne, signedInAt }) => (
        <div key={id} className={styles['line']}>
          <p>
            {device}, signed in {formatLapDate(signedInAt)} {isThisOne && <Badge>This device</Badge>}
          </p>
          {!isThisOne && (
            <Button
              pending={isBusy}
              aria-label={`Sign out ${device}`}
              onClick={() =>
                run(() => callApi('DELETE /api/account/devices/:deviceId', { params: { deviceId: id } }))
              }
            >
              Sign out
            </Button>
          )}
        </div>
      ))}
    </ProfileSection>
  );
}
