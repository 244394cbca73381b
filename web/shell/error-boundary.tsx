import { Component, type ReactNode } from 'react';
import { Page, PageTitle } from '#web/ui/page.tsx';
import { FailedState } from '#web/ui/state-message.tsx';
import { reloadFromServer } from './reload-once.ts';

type ErrorBoundaryProps = {
  /** The content is rendered again when this key changes, for example with another page. */
  resetKey: string;
  children: ReactNode;
};

type ErrorBoundaryState = { failedKey: string | null; isServerUnavailable: boolean };

/** Replaces a page that could not be rendered; the navigation around it keeps working. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { failedKey: null, isServerUnavailable: false };

  override componentDidCatch(): void {
    this.setState({ failedKey: this.props.resetKey, isServerUnavailable: false });
  }

  override render(): ReactNode {
    if (this.state.failedKey !== this.props.resetKey) return this.props.children;
    return (
      <Page>
        <PageTitle className="visually-hidden">Something went wrong</PageTitle>
        <FailedState title="This page could not be shown." onRetry={() => void this.retry()}>
          {this.state.isServerUnavailable ? (
            'The server does not answer. Check your connection and try again.'
          ) : (
            <>
              Try again, or go back to the <a href="/">home page</a>.
            </>
          )}
        </FailedState>
      </Page>
    );
  }

  private async retry(): Promise<void> {
    this.setState({ isServerUnavailable: !(await reloadFromServer()) });
  }
}
