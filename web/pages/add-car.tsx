import ArrowLeft from 'lucide-react/icons/arrow-left';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { UserCarId } from '#contract/ids.ts';
import { CarBrowser } from '#web/features/garage/car-browser.tsx';
import { CarSearch } from '#web/features/garage/car-search.tsx';
import { NO_CAR, chooseCarModel, chooseCarName } from '#web/features/garage/car-selection.ts';
import { ConfirmSelection } from '#web/features/garage/confirm-selection.tsx';
import { ProposeCar } from '#web/features/garage/propose-car.tsx';
import { useUpload } from '#web/features/upload/use-upload.ts';
import { SignedIn } from '#web/shell/signed-in.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Page as PageColumn, PageTitle } from '#web/ui/page.tsx';
import styles from './add-car.module.css';

export function Page() {
  return <SignedIn pendingText="Checking authentication...">{() => <AddCar />}</SignedIn>;
}

/** Leaves for the profile; a driver who came from the upload returns to the form there, which has the new car. */
function useReturn(): (userCarId: UserCarId) => void {
  const [, navigate] = useLocation();
  const upload = useUpload();
  return (userCarId) => {
    const isUploading = upload.state.queue.length > 0;
    if (isUploading) upload.change({ details: { ...upload.state.details, userCarId } });
    navigate(isUploading ? '/upload' : '/profile');
  };
}

function AddCar() {
  const leave = useReturn();
  const [selection, setSelection] = useState(NO_CAR);
  // The search box is cleared when the selection is reset.
  const [resetCount, setResetCount] = useState(0);
  const [isProposing, setIsProposing] = useState(false);

  function reset(): void {
    setSelection(NO_CAR);
    setResetCount(resetCount + 1);
  }

  return (
    <PageColumn width="narrow">
      <ButtonLink href="/profile" variant="quiet" size="small" className={styles['back']}>
        <ArrowLeft size={18} aria-hidden="true" />
        Back to Profile
      </ButtonLink>
      <PageTitle>Add Car</PageTitle>
      <div className={styles['cards']}>
        <Card as="section">
          <h2 className={styles['heading']}>Quick Search</h2>
          <CarSearch key={resetCount} onChoose={(model) => setSelection(chooseCarModel(model))} />
        </Card>
        <Card as="section">
          <details>
            <summary className={styles['fold']}>
              <h2 className={styles['heading']}>Browse by Make and Model</h2>
            </summary>
            <CarBrowser
              selection={selection}
              onChoose={(field, name) => setSelection(chooseCarName(selection, field, name))}
            />
          </details>
        </Card>
        <ConfirmSelection selection={selection} onReset={reset} onAdded={leave} />
        <Card as="section" className={styles['missing']}>
          <p>Is your car not in the library?</p>
          <Button onClick={() => setIsProposing(true)}>Propose a Car</Button>
        </Card>
      </div>
      {isProposing && <ProposeCar onClose={() => setIsProposing(false)} onAdded={leave} />}
    </PageColumn>
  );
}
